import { accentFaults, type BrandFields, isColour, type Theme } from '@busbar/contract'
import type { OperatorText } from './operator-text.ts'

/** A brand as it is typed: hosts and downloads are lines of a text. */
export type BrandDraft = Omit<BrandFields, 'hosts' | 'downloads'> & {
  readonly hosts: string
  readonly downloads: string
}

/** What decision 58 gives a brand that is not the main one. */
const freshVersions = {
  pc: { latest: '1.4.2', lowest: '1.1.0' },
  mobile: { latest: '1.4.2', lowest: '1.1.0' },
  tv: { latest: '1.3.0', lowest: '1.1.0' },
}

export const freshBrand: BrandDraft = {
  hosts: '',
  isDefault: false,
  platformName: { cn: '', en: '' },
  logoUrl: '',
  logoDarkUrl: '',
  loginImageUrl: '',
  faviconUrl: '',
  accent: '',
  emailSender: '',
  smsSignature: '',
  versions: freshVersions,
  downloads: '',
  icp: '',
  visitDomain: '',
}

export type BrandProblems = Partial<
  Record<'cn' | 'en' | 'hosts' | 'accent' | 'versions' | 'downloads', string>
>

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const versionPattern = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

export function splitHosts(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
}

/** `Name https://…` lines; undefined where a line is none. */
export function parseDownloads(text: string): BrandFields['downloads'] | undefined {
  const found = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => /^(.+?)\s+(https:\/\/\S+)$/.exec(line))
  if (found.some((parts) => !parts || !URL.canParse(parts[2] ?? ''))) return undefined
  return found.map((parts) => ({ name: parts?.[1] ?? '', url: parts?.[2] ?? '' }))
}

export function writeDownloads(downloads: BrandFields['downloads']): string {
  return downloads.map(({ name, url }) => `${name} ${url}`).join('\n')
}

/** Themes on which the draft's accent cannot be read; none for the default accent, or for what is no colour yet. */
export function unreadableThemes(accent: string): Theme[] {
  return isColour(accent) ? accentFaults(accent) : []
}

/** What is wrong with a draft, beside its field; nothing when it can be sent. */
export function checkBrand(draft: BrandDraft, words: OperatorText['brandForm']): BrandProblems {
  const problems: BrandProblems = {}
  for (const lang of ['cn', 'en'] as const)
    if (draft.platformName[lang].trim() === '') problems[lang] = words.nameMissing
  const wrongHost = splitHosts(draft.hosts).find((host) => !hostPattern.test(host))
  if (wrongHost !== undefined) problems.hosts = words.hostWrong(wrongHost)
  const accent = draft.accent.trim()
  const faults = unreadableThemes(accent)
  if (accent !== '' && !isColour(accent)) problems.accent = words.accent
  else if (faults.length > 0)
    problems.accent = words.unreadable(faults.map((theme) => words.themes[theme]).join(', '))
  const versions = Object.values(draft.versions).flatMap(({ latest, lowest }) => [latest, lowest])
  if (!versions.every((version) => versionPattern.test(version))) problems.versions = words.versionWrong
  if (!parseDownloads(draft.downloads)) problems.downloads = words.downloadWrong
  return problems
}
