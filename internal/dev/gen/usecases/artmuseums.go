package main

var artMuseums = useCase{"art_museums", []collection{
	{
		name: "museums", rows: 44,
		sentences: []string{
			"{house} that shows {show} and {show}.",
			"{house}, {place}, with {extra} and a collection of {show}.",
			"{show}, shown in {house}; visitors love {extra}.",
		},
		words: map[string]string{
			"house": "a former power station|a baroque palace|a concrete hall by the sea|a merchant's house|an old monastery|a glass pavilion|a converted railway station",
			"show":  "medieval altars|modern sculpture|Japanese woodcuts|portraits of merchants|early photographs|folk costumes|impressionist landscapes|video installations",
			"place": "in the middle of a park|on a small island|beside the cathedral|at the harbour|high above the town",
			"extra": "a quiet sculpture garden|a famous café|an interactive room for children|free guided tours|a library of rare books|a view across the river",
		},
		prose:    column{name: "presentation", description: "how the museum presents itself"},
		category: column{name: "country", description: "where the museum is"},
		kinds:    "Italy|Denmark|Mexico|Japan|Poland",
		number:   number{column: column{name: "ticket_price", description: "price of a ticket for adults in euros", nulls: true}, real: true, least: 0, most: 22, step: 1.5},
		truth:    column{name: "is_open_on_mondays", readable: "is open on Mondays", description: "whether the museum is open on Mondays"}, share: 0.45,
	},
	{
		name: "artworks", rows: 74,
		sentences: []string{
			"{subject} {setting}, {manner}.",
			"{manner}: {subject} and {subject} {setting}.",
			"{subject} {setting}; {detail}, {manner}.",
		},
		words: map[string]string{
			"subject": "a sleeping fisherman|a woman with a lute|two dancers|a storm|a bowl of lemons|a white horse|a beggar|a family at supper|a ruined tower",
			"setting": "by the sea|in a moonlit garden|before a red curtain|at an open window|in a snowy street|under a dark sky|in a busy harbour",
			"manner":  "in bright colours|with thick brush strokes|in fine grey lines|full of light|with almost no colour|painted from memory|in the manner of an icon",
			"detail":  "a dog looks at the viewer|a candle has just gone out|a letter lies on the floor|birds gather in the distance|the faces are left blank",
		},
		prose:    column{name: "description", description: "what is to be seen"},
		category: column{name: "technique", description: "how the work was made", nulls: true},
		kinds:    "oil on canvas|woodcut|watercolour|bronze|photograph",
		number:   number{column: column{name: "year", description: "when the work was made"}, least: 1620, most: 1980, step: 20},
		truth:    column{name: "is_on_display", description: "whether visitors can see the work now", nulls: true}, share: 0.55,
	},
	{
		name: "workshops", rows: 50,
		sentences: []string{
			"{act} {what} and {act} {what}.",
			"{act} {what} {how}, then {end}.",
			"{how}, participants {act} {what}; afterwards they {end}.",
		},
		words: map[string]string{
			"act":  "draw|print|photograph|restore|paint|model in clay",
			"what": "portraits|old book covers|birds and plants|masks for the theatre|sculptures in the garden|city maps|still lifes with lemons",
			"how":  "in small groups|with natural pigments|together with an artist|after a tour of the depot|by candlelight|without any experience",
			"end":  "show the results to the family|take the work home|discuss the works over coffee|hang a small exhibition|compare them with the originals",
		},
		prose:    column{name: "programme", description: "what participants do"},
		category: column{name: "audience", description: "whom the workshop is for", nulls: true},
		kinds:    "families|school classes|adults|seniors|teenagers",
		number:   number{column: column{name: "places", description: "how many people can take part"}, least: 6, most: 24, step: 2},
		truth:    column{name: "is_booked_out", description: "whether all places are taken"}, share: 0.4,
	},
}}
