// Shows the API's description, and lets requests be tried with the reader's own key.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Never asks a validator elsewhere, and forgets the key with the page.
  validatorUrl: null,
  persistAuthorization: false,
  // The key goes to the service that this page came from, whatever address the description names.
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.origin);
    request.url = location.origin + pathname + search;
    return request;
  },
});
