import * as z from 'zod/mini';

/** Answer of `GET /api`: what this service is. Needs no key. */
export const ServiceDocument = z.object({
  name: z.string(),
  version: z.string(),
  shortBaseUrl: z.url({ protocol: /^https?$/ }),
  features: z.array(z.string()),
});
export type ServiceDocument = z.infer<typeof ServiceDocument>;
