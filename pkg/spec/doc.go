// Package spec prepares a sample's tool list for those who read it: in the
// formats of model interfaces, shortened to a share of the tools, or with names
// that say nothing. All of it is made from one definition, the Tool: a name, a
// description and the JSON Schema of the arguments.
//
// The formats are
//
//	function       the definition alone, with the path of an endpoint
//	openai         OpenAI tools (chat completions)
//	openai-strict  the same for strict mode, where every argument is given
//	anthropic      Anthropic tools
//	gemini         Gemini function declarations
//	mcp            tools of the Model Context Protocol
//
// and OpenAPI makes a document of a database's tools. Two of the formats,
// openai-strict and gemini, have no objects of unknown names. For them the
// operands of pkg/tools, window frames and the arguments of transform_data are
// spelled out; see Format.List.
//
// Where there are more tools than a model chooses well from, SearchTool stands for
// them: Format.Searched writes the list, and Format.Found what a search returns.
package spec
