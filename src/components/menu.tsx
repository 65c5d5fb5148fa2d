import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

export interface MenuItem {
  icon: IconName;
  label: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  press: () => void;
}

interface MenuProps {
  /** Label and tooltip of the button. */
  name: string;
  items: MenuItem[];
}

/**
 * A button that opens a menu. Arrow keys move the focus within the menu. Escape, Tab and a click outside the menu
 * close it.
 */
export function Menu({ name, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    button.current?.focus();
    setOpen(false);
  };
  return (
    <div
      ref={root}
      class="menu"
      onFocusOut={({ relatedTarget }) => {
        // If another window becomes active, the menu item stays the active element, and gets the focus back later.
        const focused = relatedTarget ?? document.activeElement;
        if (!(focused instanceof Node && root.current?.contains(focused))) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && <MenuItems name={name} items={items} close={close} />}
    </div>
  );
}

function MenuItems({ name, items, close }: MenuProps & { close: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const [isUp, setUp] = useState(false);
  const buttons = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])];
  useLayoutEffect(() => {
    const { top = 0, bottom = 0 } = list.current?.getBoundingClientRect() ?? {};
    // The menu opens upwards if it does not fit below the button but fits above it.
    setUp(bottom > innerHeight && bottom - top < top);
    buttons()[0]?.focus({ preventScroll: true });
  }, []);

  const press = (event: KeyboardEvent) => {
    const all = buttons();
    const index = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all[next % all.length]?.focus();
    else if (event.key === 'Escape') close();
    // After the menu closes, the browser moves the focus from the menu's button to the next control.
    else if (event.key === 'Tab') return close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={list}
      class={`menu-items ${isUp ? 'is-up' : ''}`}
      role="menu"
      aria-label={name}
      onKeyDown={press}
      // Keeps the focus in the menu. Losing the focus would close the menu before the click arrives.
      onPointerDown={(event) => event.preventDefault()}
    >
      {items.map(({ icon, label, isDanger, isDisabled = false, press: act }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={`menu-item ${isDanger ? 'is-danger' : ''}`}
          disabled={isDisabled}
          onClick={() => {
            close();
            act();
          }}
        >
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </div>
  );
}
