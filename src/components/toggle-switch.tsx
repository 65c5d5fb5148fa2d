interface SwitchProps {
  id: string;
  label: string;
  help?: string;
  on: boolean;
  set: (on: boolean) => void;
}

/** A setting that is on or off. */
export function ToggleSwitch({ id, label, help, on, set }: SwitchProps) {
  return (
    <div class="setting">
      <div>
        <label for={id}>{label}</label>
        {help && (
          <p id={`${id}-help`} class="help">
            {help}
          </p>
        )}
      </div>
      <input
        id={id}
        class="switch-input"
        type="checkbox"
        checked={on}
        aria-describedby={help && `${id}-help`}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </div>
  );
}
