package main

var travelAgency = useCase{"travel_agency", []collection{
	{
		name: "tours", rows: 60,
		sentences: []string{
			"{verb} {place}, {activity} and {end}.",
			"{activity}, {activity} and {end}: {mood}.",
			"{mood} that leads {where} {place}; {end}.",
		},
		words: map[string]string{
			"verb":          "hike through|cycle across|sail along|travel by train through|drive slowly through",
			"where":         "through|across|around",
			"place":         "quiet fishing villages|terraced vineyards|snowy mountain passes|ancient temple towns|wide river valleys|volcanic islands|old trading ports",
			"place/Andes":   "high mountain villages|salt flats|cloud forests|ancient stone terraces",
			"place/Nordics": "deep fjords|birch forests|quiet fishing villages|arctic islands",
			"activity":      "watch whales at dawn|cook with local families|visit a silk workshop|taste wine in old cellars|swim in hot springs|sleep in mountain huts|photograph wild birds|ride horses along the coast",
			"end":           "relax on a quiet beach|stay a night in a monastery|celebrate with music and dance|return by night train|enjoy a farewell dinner",
			"mood":          "an easy journey for families|a demanding adventure|a slow journey for food lovers|a photography trip|a winter escape",
		},
		prose:    column{name: "itinerary", description: "what travellers will see and do"},
		category: column{name: "region", description: "the part of the world"},
		kinds:    "Mediterranean|Andes|Nordics|Balkans|East Asia",
		number:   number{column: column{name: "days", description: "how many days the tour takes"}, least: 4, most: 21, step: 1},
		truth:    column{name: "includes_flights", description: "whether the price is with flights", nulls: true}, share: 0.45,
	},
	{
		name: "hotels", rows: 62,
		sentences: []string{
			"{house} with {feature} and {feature}.",
			"{house}; guests like {praise} and {feature}.",
			"{praise} make this hotel special: {house} with {feature}, {where}.",
		},
		words: map[string]string{
			"house":   "a whitewashed farmhouse|an elegant city palace|a wooden lodge|a converted lighthouse|a small house with six rooms|a tower above the bay|an old post office",
			"feature": "a heated pool|a rooftop bar|a garden of lemon trees|a library with a fireplace|a sauna by the lake|free bicycles|a vegan breakfast buffet|a playground for children",
			"praise":  "quiet rooms|huge breakfasts|the view of the bay|the friendly hosts|the soft beds|candlelit dinners",
			"where":   "close to the beach|near the old town|at the edge of the forest|above the vineyards|beside the ski lift",
		},
		prose:    column{name: "description", description: "the hotel as the catalogue has it"},
		category: column{name: "style", description: "the kind of hotel", nulls: true},
		kinds:    "boutique|family|spa|business|hostel",
		number:   number{column: column{name: "nightly_rate", description: "price of a double room for a night in euros", nulls: true}, real: true, least: 42, most: 262, step: 5.5},
		truth:    column{name: "allows_pets", description: "whether guests may bring pets"}, share: 0.5,
	},
	{
		name: "inquiries", rows: 52,
		sentences: []string{
			"We are {who} and would like {wish}, {limit}.",
			"{who} looking for {wish} and {wish}; {limit}.",
			"Could you suggest {wish}? We are {who}, {limit}.",
		},
		words: map[string]string{
			"who":   "a family with two small children|a retired couple|four friends from school|a group of bird watchers|newlyweds|two keen hikers|a small choir",
			"wish":  "a quiet beach|a cooking course|mountain huts with good food|a hotel with a pool|a journey by train|guided walks|a place without crowds|whale watching",
			"limit": "without flying|if possible with vegetarian food|on a small budget|with wheelchair access|not more than a week|with our old dog",
		},
		prose:    column{name: "message", description: "what the customer wrote"},
		category: column{name: "season", description: "when the customer wants to travel"},
		kinds:    "summer|autumn|winter|spring",
		number:   number{column: column{name: "budget", description: "the most that the customer will spend, in euros"}, least: 600, most: 3600, step: 200},
		truth:    column{name: "is_answered", description: "whether somebody has answered", nulls: true}, share: 0.55,
	},
}}
