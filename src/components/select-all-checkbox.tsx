import { useLayoutEffect, useRef } from 'preact/hooks';

interface AllBoxProps {
  label: string;
  total: number;
  selected: number;
  /** Selects all rows, or none of them. */
  set: (isSelected: boolean) => void;
}

/** Checkbox that selects all rows of a list. It shows the indeterminate state if only some rows are selected. */
export function AllBox({ label, total, selected, set }: AllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = selected > 0 && selected < total;
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label class="tick">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={total > 0 && selected === total}
        onChange={() => set(selected < total)}
      />
    </label>
  );
}
