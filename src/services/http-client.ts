/** No answer of the contract comes near this; more is somebody else's page. In bytes. */
const LARGEST_BODY = 1_000_000;

/**
 * Reads a JSON body of bounded size.
 *
 * @returns the parsed value, or undefined where the body is empty, too large or not JSON
 * @throws whatever the stream throws when the connection breaks off
 */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(response: Response): Promise<string | null> {
  if (!response.body) return null;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > LARGEST_BODY) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
