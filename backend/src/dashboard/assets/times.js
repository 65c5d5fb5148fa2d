/** Tells the times on the page in the reader's own time zone. Without script they stand in UTC, and say so. */
export function tellLocalTimes() {
  const forms = {
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }),
    minute: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
  };
  for (const time of document.querySelectorAll('time[data-show]')) {
    const instant = new Date(time.dateTime);
    time.textContent = forms[time.dataset.show].format(instant);
    time.title = instant.toISOString();
  }
}
