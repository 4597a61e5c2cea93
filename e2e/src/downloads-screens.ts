import { downloads as cn } from '../../console/src/shared/i18n/cn/downloads.ts'
import { downloads as en } from '../../console/src/shared/i18n/en/downloads.ts'
import type { Screen } from './screen.ts'

/* The programs to download, with the answers of a platform that has been built for every system. */

export const downloadTexts = { cn: cn.downloads, en: en.downloads } as const

const version = '1.7.0'
const files = [
  ['debian-amd64', `busbar-agent_${version}_amd64.deb`, 44_120_336],
  ['debian-arm64', `busbar-agent_${version}_arm64.deb`, 42_800_112],
  ['linux-x64', `busbar-agent-${version}-linux-x64.tar.gz`, 48_310_220],
  ['windows-x64', `busbar-agent-${version}-windows-x64.zip`, 39_904_770],
].map(([system, file, bytes], place) => ({
  ...{ program: 'busbar-agent', system, version, file, bytes, url: `/download/${file}` },
  sha256: `${place}9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`.slice(0, 64),
}))

function screen(name: string, answer: object): Screen {
  return {
    name: `downloads${name}`,
    signedIn: false,
    async arrive({ page, lang }) {
      const none = { missing: null, manifestUrl: null, signatureUrl: null, files: [] }
      await page.route('**/api/v1/downloads**', (route) =>
        route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata: { ...none, ...answer } } }),
      )
      await page.goto('/download/')
      await page.getByRole('heading', { name: downloadTexts[lang].title }).waitFor()
      await page.locator('main tbody, main [data-subject]').first().waitFor()
    },
  }
}

/** The programs, and a platform without any. */
export const downloadsScreens: readonly Screen[] = [
  screen('', {
    ...{ state: 'signed', files },
    ...{ manifestUrl: '/download/manifest.json', signatureUrl: '/download/manifest.sig' },
  }),
  screen('-missing', { state: 'missing', missing: 'npm run build' }),
]
