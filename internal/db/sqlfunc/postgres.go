package sqlfunc

// postgres lists the functions of Postgres that need more description than that they
// are scalar (https://www.postgresql.org/docs/current/functions-aggregate.html,
// functions-window.html, functions-datetime.html).
var postgres = table(
	each(Function{Class: Aggregate, Aggregate: OfValues, Result: Integer}, "count regr_count"),
	each(Function{Class: Aggregate, Aggregate: Summing, Result: Sum}, "sum"),
	each(Function{Class: Aggregate, Aggregate: Summing, Result: Real}, "avg"),
	each(Function{Class: Aggregate, Aggregate: Extreme, Result: FirstArgument, PassesOn: true}, "min max"),
	each(Function{Class: Aggregate, Aggregate: Collecting}, `array_agg string_agg xmlagg
		json_agg json_agg_strict json_object_agg jsonb_agg jsonb_agg_strict jsonb_object_agg`),
	each(Function{Class: Aggregate, Aggregate: Arbitrary}, "any_value mode"),
	each(Function{Class: Aggregate, Aggregate: Summing, Result: Real}, "stddev stddev_pop stddev_samp variance var_pop var_samp"),
	each(Function{Class: Aggregate, Aggregate: OfValues}, `bit_and bit_or bit_xor bool_and bool_or every range_agg range_intersect_agg
		corr covar_pop covar_samp regr_avgx regr_avgy regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
		percentile_cont percentile_disc`),

	each(Function{Class: Window, Result: Integer}, "rank dense_rank"),
	each(Function{Class: Window, Result: Integer, BreaksTies: true}, "row_number ntile"),
	each(Function{Class: Window, Result: Real}, "percent_rank cume_dist"),
	each(Function{Class: Window, Result: FirstArgument, PassesOn: true, BreaksTies: true}, "lag lead first_value last_value nth_value"),

	each(Function{Class: Scalar, Clock: AlwaysClock}, "now transaction_timestamp statement_timestamp clock_timestamp"),
	each(Function{Class: Scalar, Volatility: Random}, "random random_normal gen_random_uuid uuid_generate_v4"),

	each(Function{Class: Scalar, Result: Real}, "sqrt power"),
	each(Function{Class: Scalar, Result: FirstArgument}, "abs round"),
	each(Function{Class: Scalar, Result: FirstArgument, PassesOn: true}, "coalesce nullif greatest least"),
)
