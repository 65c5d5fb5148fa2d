import { copy } from './copy-buttons.js';

/** Creates a link without closing the panel, so that the user can copy the short URL and sees errors in the panel. */
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
      // Submits the form normally, so that the browser displays any other response as a page, such as the sign-in
      // page.
      form.submit();
    }
  });
}

/** Sends a form. Returns the response and the page that it contains, or null if the server is unreachable. */
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
