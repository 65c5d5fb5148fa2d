interface AllBoxProps {
  label: string;
  total: number;
  selected: number;
  /** Selects all rows, or none of them. */
  set: (isSelected: boolean) => void;
}

/** Checkbox that selects all rows of a list. It shows the indeterminate state if only some rows are selected. */
export function AllBox({ label, total, selected, set }: AllBoxProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={total > 0 && selected === total}
        indeterminate={selected > 0 && selected < total}
        onChange={() => set(selected < total)}
      />
    </label>
  );
}
