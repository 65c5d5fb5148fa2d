import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { FormDefaults, FormTarget } from '../link-form/form-target.ts';
import type { LinkFormProps } from '../link-form/link-form.tsx';

/** Whether the popup opens with the form: a default that changes what is sent is shown before it does. */
export function opensWithForm(defaults: FormDefaults): boolean {
  return defaults.removeTracking || defaults.dropTextFragment || defaults.expiry !== 'never';
}

/**
 * The form for a link, once it is asked for. It is loaded then: a popup that opens for one button does not wait for it.
 *
 * @param first what it is open with from the start
 */
export function useLinkForm(first: FormTarget | null) {
  const [target, open] = useState(first);
  const [loaded, setLoaded] = useState<{ LinkForm: FunctionComponent<LinkFormProps> } | null>(null);
  const isWanted = target !== null;
  useEffect(() => {
    if (isWanted && !loaded) void import('../link-form/link-form.tsx').then(({ LinkForm }) => setLoaded({ LinkForm }));
  }, [isWanted, loaded]);
  const close = useCallback(() => open(null), []);
  return { target, LinkForm: loaded?.LinkForm ?? null, open, close };
}
