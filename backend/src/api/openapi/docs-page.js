// Shows Swagger UI in dark mode whenever the browser prefers dark mode.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const spec = await (await fetch('/openapi.json')).json();
// Sends requests and the API key only to the host that served this page, even if the service has another public URL.
spec.servers = [{ url: location.origin }];

/** Adds an h2 heading, because Swagger UI skips this level between its h1 and h3 headings. */
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
  // Disables Swagger UI's external validator, and its option to store the user's API key in the browser.
  validatorUrl: null,
  persistAuthorization: false,
});
