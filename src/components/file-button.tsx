import type { ComponentChildren, ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';

interface FileButtonProps {
  /** File types that the user can choose. */
  accept: string;
  multiple?: boolean;
  choose: (files: File[]) => void;
  /** Further attributes of the button. */
  attributes?: ComponentProps<'button'>;
  children: ComponentChildren;
}

/** A button that lets the user choose files. */
export function FileButton({ accept, multiple = false, choose, attributes = {}, children }: FileButtonProps) {
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
        multiple={multiple}
        accept={accept}
        onChange={({ currentTarget }) => {
          choose([...(currentTarget.files ?? [])]);
          // Without this reset, the browser would fire no event if the user chose the same file again after
          // correcting it.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
