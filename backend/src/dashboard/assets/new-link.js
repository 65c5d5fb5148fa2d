import { copy } from './copy-buttons.js';

/**
 * Submits the form for a new link in the background. Copies the short URL of the new link and opens the list of
 * links, or shows errors in the form.
 */
export function enableNewLink() {
  const form = document.querySelector('form[data-creates]');
  if (!form) return;
  const button = form.querySelector('[type="submit"]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const answer = await requestPage('POST', form.action, new URLSearchParams(new FormData(form)));
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
      // Submits the form normally, so that the browser shows the response, such as the sign-in page.
      form.submit();
    }
  });
}

/**
 * Requests a page. Returns the completed request with the parsed page in `response`, or null if the server is
 * unreachable.
 */
export function requestPage(method, url, body = null) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'document';
    request.setRequestHeader('Accept', 'text/html');
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => resolve(null));
    request.send(body);
  });
}
