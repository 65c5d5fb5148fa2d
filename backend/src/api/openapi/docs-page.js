// Shows the API's description, and lets requests be tried with the reader's own key.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const spec = await (await fetch('/openapi.json')).json();
// The key goes to the service that this page came from, whatever address the public knows it by.
spec.servers = [{ url: location.origin }];
// The viewer fills a form with the examples; an optional field is better left empty.
for (const { parameters = [] } of Object.values(spec.paths).flatMap((methods) => Object.values(methods))) {
  for (const parameter of parameters) if (!parameter.required) delete parameter.example;
}

/** Adds the h2 that the viewer lacks between its h1 and the h3 of each tag. */
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
  // Never asks a validator elsewhere, and forgets the key with the page.
  validatorUrl: null,
  persistAuthorization: false,
});
