package main

var coursePlatform = useCase{"course_platform", []collection{
	{
		name: "courses", rows: 66,
		sentences: []string{
			"{start}: {topic} and {topic}, with {form}.",
			"{topic}, explained {style} with {form}; no {need} needed.",
			"{start}. Learners practise {topic}, then {goal}.",
		},
		words: map[string]string{
			"start":              "a gentle introduction for beginners|an intensive course for professionals|a refresher for teachers|a weekend course|a guided tour for curious people",
			"topic/programming":  "writing small games|testing web services|sorting and searching|parsing text files|debugging other people's code",
			"topic/photography":  "night photography|portraits in natural light|developing film at home|editing landscape pictures",
			"topic/gardening":    "pruning fruit trees|growing herbs on a balcony|making compost|planning a vegetable garden",
			"topic/statistics":   "reading charts critically|designing surveys|testing hypotheses|forecasting sales",
			"topic/music theory": "hearing intervals|harmonising folk songs|writing for string quartet|reading jazz charts",
			"topic/cooking":      "baking sourdough bread|fermenting vegetables|planning a week of meals|sharpening knives",
			"form":               "short videos|weekly quizzes|a lively forum|printed worksheets|many small exercises|feedback from a tutor",
			"style":              "step by step|by everyday examples|with plenty of humour|through real projects",
			"need":               "experience|mathematics|special equipment|background",
			"goal":               "finish a project of their own|present their work to the group|take a short exam|build a portfolio",
		},
		prose:    column{name: "outline", description: "what is taught, and how"},
		category: column{name: "subject", description: "the field of the course"},
		kinds:    "programming|photography|cooking|gardening|statistics|music theory",
		number:   number{column: column{name: "hours", description: "how long the course takes", nulls: true}, real: true, least: 3, most: 24, step: 1.5},
		truth:    column{name: "offers_certificate", readable: "offers a certificate", description: "whether learners who finish get a certificate"}, share: 0.5,
	},
	{
		name: "instructors", rows: 48,
		sentences: []string{
			"{career} who teaches {style} and loves {love}.",
			"{career}. Explains hard ideas {style}; students praise {praise}.",
			"{career}, famous for {praise} and {love}.",
		},
		words: map[string]string{
			"career": "a former museum guide|a software engineer|a travelling photographer|a market gardener|a bakery owner|a jazz pianist|a retired statistician|a science journalist",
			"style":  "with patience|through stories|by live demonstrations|with dry humour|step by step",
			"love":   "vegetable gardens|old cameras|board games|long-distance hiking|sourdough bread|crossword puzzles",
			"praise": "quick feedback|clear drawings|careful preparation|encouraging comments|challenging exercises",
		},
		prose:    column{name: "introduction", description: "how the instructor is introduced to learners"},
		category: column{name: "language", description: "the language of the lessons", nulls: true},
		kinds:    "English|Spanish|German|Portuguese|Polish",
		number:   number{column: column{name: "rating", description: "mean of the learners' ratings", values: "1 to 5, higher is better"}, real: true, least: 3, most: 5, step: 0.25},
		truth:    column{name: "takes_private_students", description: "whether the instructor also teaches single learners", nulls: true}, share: 0.45,
	},
	{
		name: "assignments", rows: 58,
		sentences: []string{
			"{do} {thing} and {then}.",
			"{do} {thing}; {then}, {limit}.",
			"In pairs or alone, {do} {thing}, {limit}, and {then}.",
		},
		words: map[string]string{
			"do":    "describe|compare|redesign|document|plan|record",
			"thing": "a dish from your childhood|a chart from a newspaper|a small vegetable garden|a song that you know by heart|a program that you use every day|a portrait of a neighbour|two surveys on the same question",
			"then":  "explain your choices|present it to the group|upload three photographs|answer the questions of two classmates|list what you would do better|support every claim with a source",
			"limit": "in at most 300 words|within two weeks|without any software|using only free tools|by the end of the month",
		},
		prose:    column{name: "instructions", description: "what learners are told to do"},
		category: column{name: "format", description: "what learners hand in"},
		kinds:    "essay|project|quiz|presentation|experiment",
		number:   number{column: column{name: "points", description: "the most points that can be earned"}, least: 10, most: 60, step: 5},
		truth:    column{name: "is_optional", description: "whether learners may leave it out", nulls: true}, share: 0.4,
	},
}}
