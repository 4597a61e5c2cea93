import { z } from 'zod'
import { nothing } from './fields.ts'
import { route } from './route.ts'

const bothLanguages = z.object({ cn: z.string(), en: z.string() })

export const getBrand = route({
  method: 'GET',
  path: '/api/v1/brand',
  who: 'public',
  title: { cn: '品牌信息', en: 'The brand of this host' },
  request: nothing,
  answer: z.object({
    id: z.string(),
    platformName: bothLanguages,
    logoUrl: z.string().describe("Empty: the console's own mark"),
    loginImageUrl: z.string(),
    faviconUrl: z.string(),
    theme: z.object({ accent: z.string().describe('Empty: the default accent') }),
    versions: z.object({ app: z.string(), lowest: z.string(), tv: z.string() }),
    downloads: z.array(z.object({ name: z.string(), url: z.string() })),
    icp: z.string().optional(),
  }),
  errors: [],
})

const icon = z.object({
  pattern: z.string().describe('A regular expression over the machine code; empty: by type only'),
  type: z.string(),
  image: z.string().describe('SVG path data in a 24 × 24 box'),
  name: bothLanguages,
})

export const listIcons = route({
  method: 'GET',
  path: '/api/internal/v1/icons',
  who: 'public',
  title: { cn: '设备类型图标', en: 'Icons of machine types' },
  request: nothing,
  answer: z.object({ version: z.string(), default: icon, items: z.array(icon) }),
  errors: [],
})
