import { z } from 'zod'
import { isColour } from './accent.ts'
import { instant, shortText } from './fields.ts'
import { limits } from './limits.ts'

/** `1.4.2`: three numbers, compared one after the other. */
export const version = z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/, { message: 'version' })

/** A picture that was uploaded here, or empty: never an address elsewhere. */
export const pictureUrl = z
  .string()
  .regex(/^(?:\/uploads\/[0-9a-f]{32}\.(?:svg|png|jpg|webp))?$/, { message: 'pictureUrl' })

/** A host as a browser names it, without a port: `cloud.example`. */
export const brandHost = z
  .string()
  .max(253)
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
    message: 'host',
  })

/** The programs with which people use the platform. `pc`: the console, in any browser. */
export const clientKinds = ['pc', 'mobile', 'tv'] as const

const clientVersions = z.object({ latest: version, lowest: version })

/** The fields of a brand that an operator sets; empty texts mean the console's own. */
export const brandFields = z.object({
  hosts: z.array(brandHost).max(limits.brandHostsMax),
  /** Unknown hosts get this one; one brand always has it. */
  isDefault: z.boolean(),
  platformName: z.object({ cn: shortText(1, limits.brandNameMax), en: shortText(1, limits.brandNameMax) }),
  logoUrl: pictureUrl,
  /** For the dark theme; empty: `logoUrl` on both. */
  logoDarkUrl: pictureUrl,
  loginImageUrl: pictureUrl,
  faviconUrl: pictureUrl,
  accent: z
    .string()
    .toLowerCase()
    .refine((text) => text === '' || isColour(text), { message: 'colour' }),
  /** The address e-mails come from; empty: the deployment's. */
  emailSender: z.union([z.literal(''), z.email().max(limits.accountMax)]),
  /** Stands before every SMS, in 【】. */
  smsSignature: shortText(0, limits.smsSignatureMax),
  versions: z.object({ pc: clientVersions, mobile: clientVersions, tv: clientVersions }),
  downloads: z
    .array(z.object({ name: shortText(1, 30), url: z.url({ protocol: /^https$/ }).max(500) }))
    .max(limits.brandDownloadsMax),
  /** The registration number that must be at the foot of a page in mainland China. */
  icp: shortText(0, 40),
  /** Where machines' pages are for people on these hosts; empty: the deployment's VISIT_HOST. */
  visitDomain: z.union([z.literal(''), brandHost.regex(/\.[a-z-]+$/, { message: 'host' })]).default(''),
})

export type BrandFields = z.output<typeof brandFields>

/** A brand as the back office sees it. */
export const brandRow = brandFields.extend({
  id: z.int(),
  archivedAt: instant.nullable().describe('Its hosts show the default brand since then'),
})
