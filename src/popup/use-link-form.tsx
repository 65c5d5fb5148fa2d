import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { FormTarget } from '../link-form/form-target.ts';
import type { LinkFormProps } from '../link-form/link-form.tsx';

/** The form for a link, once it is asked for. It is loaded then: a popup that opens for one button does not wait for it. */
export function useLinkForm() {
  const [target, open] = useState<FormTarget | null>(null);
  const [loaded, setLoaded] = useState<{ LinkForm: FunctionComponent<LinkFormProps> } | null>(null);
  const isWanted = target !== null;
  useEffect(() => {
    if (isWanted && !loaded) void import('../link-form/link-form.tsx').then(({ LinkForm }) => setLoaded({ LinkForm }));
  }, [isWanted, loaded]);
  const close = useCallback(() => open(null), []);
  return { target, LinkForm: loaded?.LinkForm ?? null, open, close };
}
