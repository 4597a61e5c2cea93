import { z } from 'zod'
import { clientKinds, version } from './brand-fields.ts'
import { eidOrPersonal, id, nothing } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const bothLanguages = z.object({ cn: z.string(), en: z.string() })

export const getBrand = route({
  method: 'GET',
  path: '/api/v1/brand',
  who: 'public',
  anyVersion: true,
  title: { cn: '品牌信息', en: 'Get the brand of this host' },
  request: nothing,
  answer: z.object({
    id,
    platformName: bothLanguages,
    logoUrl: z.string().describe('Empty: the console’s own mark'),
    logoDarkUrl: z.string().describe('The logo on dark ground'),
    loginImageUrl: z.string(),
    faviconUrl: z.string(),
    theme: z.object({ accent: z.string().describe('Empty: the default accent') }),
    versions: z.object({ app: z.string(), lowest: z.string(), tv: z.string() }),
    downloads: z.array(z.object({ name: z.string(), url: z.string() })),
    icp: z.string().optional(),
  }),
  errors: [],
})

/** The head of a page. */
const face = z.object({
  platformName: z.string(),
  applyLogoUrl: z.string().describe('Empty: the console’s own mark'),
  name: z.string().describe('The enterprise’s name where it has a face of its own, else the brand’s'),
})

export const getLogo = route({
  method: 'POST',
  path: '/eapi/o/getlogo',
  who: 'public',
  title: { cn: '平台名称与标志', en: 'Get the platform name and logo' },
  request: z.object({ eid: eidOrPersonal }),
  answer: face,
  errors: [],
})

export const getCustomInfo = route({
  method: 'POST',
  path: '/api/enterprises/customInfo',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业定制信息', en: 'Get the appearance of an enterprise' },
  request: z.object({ eid: id }),
  answer: face.extend({ name: z.string().describe('The enterprise’s name') }),
  errors: [],
})

export const getVersions = route({
  method: 'GET',
  path: '/api/v1/versions',
  who: 'public',
  anyVersion: true,
  title: { cn: '客户端版本', en: 'Get the versions of a client' },
  request: z.object({ client: z.enum(clientKinds) }),
  answer: z.object({ latest: version, lowest: version }),
  errors: [],
})

/** The purposes of a picture; a person who may set the picture of a purpose may upload one. */
export const uploadPurposes = ['logo', 'brand', 'projectImage', 'machineType', 'sitePlan'] as const
export type UploadPurpose = (typeof uploadPurposes)[number]

/**
 * PNG, JPEG or WebP, recognised by its content. A logo, a brand and a plan may be SVG too, of which scripts and links
 * are removed.
 */
export const createUpload = route({
  method: 'POST',
  path: '/api/v1/uploads',
  who: 'user',
  limits: ['uploads'],
  title: { cn: '上传图片', en: 'Upload a picture' },
  request: z.object({
    purpose: z
      .enum(uploadPurposes)
      .describe(
        'logo: an enterprise’s; brand, machineType: by operators; projectImage: a device’s, by its keys; sitePlan: a plan of a site',
      ),
    file: z.file().min(1).max(limits.uploadBytesMax),
  }),
  answer: z.object({ url: z.string() }),
  errors: ['PICTURE_INVALID', 'PICTURE_KIND', 'UPLOADS_FULL', 'STORAGE_FULL'],
  multipart: true,
  load: 'file',
  bodyBytesMax: limits.uploadFormBytesMax,
})

const icon = z.object({
  type: z.string().describe('The type that such devices are registered as'),
  pattern: z
    .string()
    .describe(
      'Further devices, by their codes: 8612*, 8600-8699, 19 places with ? for a digit, parted by commas',
    ),
  image: z.string().describe('The address of its picture; what is there never changes'),
  icon: z
    .string()
    .describe('SVG path data in a 24 × 24 box, drawn as a line; empty: the picture, made smaller'),
  name: bothLanguages,
})

/** A machine has the first type whose pattern has its code, else the type that it reports, else `default`. */
export const listIcons = route({
  method: 'GET',
  path: '/api/internal/v1/icons',
  who: 'public',
  title: { cn: '设备类型图标', en: 'List the icons of device types' },
  request: z.object({ version: z.string().max(64).optional().describe('Of the copy at hand') }),
  answer: z.union([
    z.object({ version: z.string(), default: icon, items: z.array(icon) }),
    z.object({ notModified: z.literal(true) }),
  ]),
  errors: [],
})
