/**
 * Shows the times on the page in the reader's own time zone, and names it. Without script all times are in UTC, and say
 * so.
 */
export function showLocalTimes() {
  const date = { day: 'numeric', month: 'short', year: 'numeric' };
  const forms = {
    day: new Intl.DateTimeFormat('en-GB', date),
    minute: new Intl.DateTimeFormat('en-GB', {
      ...date,
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
  };
  for (const time of document.querySelectorAll('time[data-show]')) {
    const instant = new Date(time.dateTime);
    time.textContent = forms[time.dataset.show].format(instant);
    time.title = instant.toISOString();
  }
}
