package randsql
import ("testing";"context";"strings";"fmt";"sort")
func TestZZ(t *testing.T) {
 feats:=[]string{"JOIN","LEFT","RIGHT","FULL","NATURAL","USING","CROSS","GROUP BY","HAVING","DISTINCT ","ORDER BY","LIMIT","UNION","INTERSECT","EXCEPT"," OVER ","WITH ","EXISTS","IN (SELECT","CASE","iif","CAST","FILTER","COLLATE","LIKE","GLOB","BETWEEN","strftime","julianday","OFFSET","NULLS","ROWS","lag","min(","group_concat","(SELECT"," OR "," AND ","NOT "}
 c:=map[string]int{}; nonempty:=map[string]int{}
 ctx:=context.Background(); n:=0; ne:=0; two:=0; ln:=0
 for d:=0; d<200; d++ {
  db := (&gen{source: fresh(d, 0)}).database()
  s, err := newSubject(ctx, t.TempDir(), db.script(false), ""); if err!=nil {t.Fatal(err)}
  for i:=0;i<10;i++ {
   q := (&gen{source: fresh(d,i+1), db: db}).statement(); n++; ln+=len(q.sql)
   r,err:=s.db.Query(ctx,q.sql); has:=err==nil && len(r.Rows)>0
   if has {ne++; if len(r.Rows)>1 {two++}}
   for _,f:=range feats { if strings.Contains(q.sql,f){c[f]++; if has {nonempty[f]++}}}
  }
  s.close()
 }
 sort.Slice(feats,func(i,j int)bool{return c[feats[i]]>c[feats[j]]})
 for _,f:=range feats { fmt.Printf("%-12s %4.1f%% nonempty %2.0f%%\n",f,100*float64(c[f])/float64(n),100*float64(nonempty[f])/float64(max(c[f],1)))}
 fmt.Println(n,"nonempty",ne,"two",two,"len",ln/n)
}
