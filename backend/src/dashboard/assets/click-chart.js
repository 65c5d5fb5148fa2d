/** Shows the click counts of a bar when the user points at the bar or selects it with the arrow keys. */
export function enableChart() {
  const plot = document.querySelector('.chart-plot');
  if (!plot) return;
  const columns = [...plot.querySelectorAll('.chart-column')];
  const texts = columns.map((column) => {
    const title = column.querySelector('title');
    // Removes the title, because the browser would display it as a second tooltip.
    title.remove();
    return title.textContent;
  });
  const tip = plot.appendChild(element('p', 'chart-tip', { 'aria-hidden': 'true' }));
  tip.hidden = true;
  // Invisible slider that lets keyboard and screen reader users explore the bars.
  const cursor = plot.appendChild(
    element('div', 'chart-cursor', {
      role: 'slider',
      tabindex: '0',
      'aria-label': plot.dataset.label,
      'aria-valuemin': '1',
      'aria-valuemax': String(columns.length),
    }),
  );
  let current = columns.length - 1;
  mark(current);

  function mark(at) {
    current = Math.min(Math.max(at, 0), columns.length - 1);
    cursor.setAttribute('aria-valuenow', String(current + 1));
    cursor.setAttribute('aria-valuetext', texts[current]);
  }

  function show(at) {
    columns[current].classList.remove('is-current');
    mark(at);
    columns[current].classList.add('is-current');
    const [when, figures] = splitLast(texts[current], ': ');
    tip.replaceChildren(element('strong', '', {}, when), element('span', '', {}, figures));
    tip.hidden = false;
    const [frame, bar] = [plot, columns[current]].map((part) => part.getBoundingClientRect());
    const middle = bar.left + bar.width / 2 - frame.left - tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(middle, 0), frame.width - tip.offsetWidth)}px`;
  }

  function hide() {
    columns[current].classList.remove('is-current');
    tip.hidden = true;
  }

  function showAt({ clientX }) {
    const at = columns.findIndex((column) => clientX < column.getBoundingClientRect().right);
    show(at === -1 ? columns.length - 1 : at);
  }
  plot.addEventListener('pointermove', showAt);
  plot.addEventListener('pointerdown', showAt);
  plot.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && hide());
  // Hides the click counts when the user taps outside the chart.
  document.addEventListener('pointerdown', ({ target }) => plot.contains(target) || hide());
  cursor.addEventListener('focus', () => show(current));
  cursor.addEventListener('blur', hide);
  cursor.addEventListener('keydown', (event) => {
    const last = columns.length - 1;
    const to = { ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1 };
    const at = { ...to, Home: 0, End: last }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    show(at);
  });
}

function element(name, className, attributes, text = '') {
  const created = document.createElement(name);
  created.className = className;
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.textContent = text;
  return created;
}

function splitLast(text, separator) {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
