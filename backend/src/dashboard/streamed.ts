/** A body that is produced while it is sent. It ends early where the client hangs up. */
export function streamed(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return();
    },
  });
}
