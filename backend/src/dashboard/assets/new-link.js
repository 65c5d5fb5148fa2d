import { copy } from './copy-buttons.js';

/** Creates a link without leaving the panel, so that the short URL can be copied and errors appear in the panel. */
export function enableNewLink() {
  const form = document.querySelector('form[data-creates]');
  if (!form) return;
  const button = form.querySelector('[type="submit"]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const answer = await send(form);
    button.ariaBusy = 'false';
    form.querySelector('[data-unreachable]').hidden = answer !== null;
    const created = answer?.response?.querySelector('[data-created]');
    const fields = answer?.response?.querySelector('[data-fields]');
    if (created) {
      const isCopied = await copy(created.dataset.created);
      location.assign(`${answer.responseURL}${isCopied ? '&copied=yes' : ''}`);
    } else if (answer?.status >= 400 && fields) {
      form.querySelector('[data-fields]').replaceWith(fields);
      form.querySelector('[aria-invalid]')?.focus();
    } else if (answer) {
      // The browser shows all other responses as pages, such as the page to sign in.
      form.submit();
    }
  });
}

/** Sends a form and returns the response with the page that it contains, or null if the server cannot be reached. */
function send(form) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.responseType = 'document';
    request.setRequestHeader('Accept', 'text/html');
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => resolve(null));
    request.send(new URLSearchParams(new FormData(form)));
  });
}
