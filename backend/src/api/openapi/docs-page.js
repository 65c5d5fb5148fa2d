// Starts Swagger UI, in which users can send requests with their own key.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const spec = await (await fetch('/openapi.json')).json();
// Requests and the key are sent only to the origin of this page, even if the public base URL is different.
spec.servers = [{ url: location.origin }];
// Swagger UI fills forms with the examples. Optional fields should be empty.
for (const { parameters = [] } of Object.values(spec.paths).flatMap((methods) => Object.values(methods))) {
  for (const parameter of parameters) if (!parameter.required) delete parameter.example;
}

/** Adds the h2 that Swagger UI lacks between its h1 and the h3 of each tag. */
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
  // Disables the external validator, and does not store the key.
  validatorUrl: null,
  persistAuthorization: false,
});
