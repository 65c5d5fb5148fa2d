// Starts Swagger UI, which lets users send requests with their own API key.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const spec = await (await fetch('/openapi.json')).json();
// Sends requests and the API key only to the origin of this page, even if the service has another public URL.
spec.servers = [{ url: location.origin }];
// Swagger UI fills its forms with the example values. Without this loop, optional fields would not be empty.
for (const { parameters = [] } of Object.values(spec.paths).flatMap((methods) => Object.values(methods))) {
  for (const parameter of parameters) if (!parameter.required) delete parameter.example;
}

/** Adds a missing h2 heading. Without it, Swagger UI has an h1 followed by h3 headings. */
const operationsTitle = () => ({
  wrapComponents: {
    operations:
      (Operations, { React: { createElement, Fragment } }) =>
      (props) =>
        createElement(Fragment, null, createElement('h2', null, 'Operations'), createElement(Operations, props)),
  },
});

globalThis.SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  plugins: [operationsTitle],
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Disables Swagger UI's external validator, and does not store the user's API key.
  validatorUrl: null,
  persistAuthorization: false,
});
