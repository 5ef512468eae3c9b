// The databases' documents come first: the whole service's is long.
fetch("documents.json")
  .then((response) => response.json())
  .then((urls) =>
    SwaggerUIBundle({
      urls,
      dom_id: "#api",
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      validatorUrl: null,
      presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
      layout: "StandaloneLayout",
    }),
  );
