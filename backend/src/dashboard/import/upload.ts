import type { PageContext } from '../page.ts';
import type { Services } from '../services.ts';

/** The largest upload taken, in bytes: the file, with what a form adds to it. */
export const UPLOAD_LIMIT = 32 * 1024 * 1024;

/** More was sent than the limit allows. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}

/**
 * Reads a form with a file, however slowly it comes, as long as it keeps coming. Returns null where it is not a form.
 *
 * @throws TooLarge
 */
export async function receiveForm(
  context: PageContext,
  { extendDeadline }: Pick<Services, 'extendDeadline'>,
): Promise<FormData | null> {
  const { req, env } = context;
  if (Number(req.header('Content-Length') ?? 0) > UPLOAD_LIMIT) throw new TooLarge();

  let size = 0;
  const bounded = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > UPLOAD_LIMIT) throw new TooLarge();
      extendDeadline(env.incoming);
      controller.enqueue(chunk);
    },
  });
  const headers = { 'Content-Type': req.header('Content-Type') ?? '' };
  const form = new Response(req.raw.body?.pipeThrough(bounded) ?? null, { headers }).formData();
  return form.catch((error) => {
    if (error instanceof TooLarge) throw error;
    return null;
  });
}
