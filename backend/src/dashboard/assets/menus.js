/** Closes the open menu when the user presses Escape, or clicks or moves the focus outside of the menu. */
export function enableMenus() {
  const openMenu = () => document.querySelector('.menu[open]');
  for (const type of ['pointerdown', 'focusin']) {
    document.addEventListener(type, ({ target }) => {
      const menu = openMenu();
      if (menu && !menu.contains(target)) menu.open = false;
    });
  }
  document.addEventListener('keydown', (event) => {
    const menu = openMenu();
    if (event.key !== 'Escape' || !menu) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary').focus();
  });
}
