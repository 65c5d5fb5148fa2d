import type { ComponentChildren, ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';

interface FileButtonProps {
  /** File types that the user can choose. */
  accept: string;
  choose: (file: File) => void;
  /** Further attributes of the button. */
  attributes?: ComponentProps<'button'>;
  children: ComponentChildren;
}

/** A button that lets the user choose a file. */
export function FileButton({ accept, choose, attributes = {}, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button {...attributes} type="button" class="button" onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) choose(file);
          // Without this reset, the browser would fire no event if the user chose the same file again after
          // correcting it.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
