import {
  accentFaults,
  type BrandFields,
  findBrokenRule,
  isColour,
  operator,
  rulesOf,
  type Theme,
} from '@busbar/contract'
import type { Problems } from '../../shared/ui/form/problems.ts'
import type { OperatorText } from './operator-text.ts'

/** A typed brand: hosts and downloads are lines of a text. */
export type BrandDraft = Omit<BrandFields, 'hosts' | 'downloads' | 'platformName'> & {
  readonly cn: string
  readonly en: string
  readonly hosts: string
  readonly downloads: string
}

/** The request's names of fields that the form names differently. */
export const brandNames = { cn: 'platformName.cn', en: 'platformName.en' } as const

/** The versions of clients that a new brand begins with. */
const freshVersions = {
  pc: { latest: '1.4.2', lowest: '1.1.0' },
  mobile: { latest: '1.4.2', lowest: '1.1.0' },
  tv: { latest: '1.3.0', lowest: '1.1.0' },
}

export const freshBrand: BrandDraft = {
  hosts: '',
  isDefault: false,
  cn: '',
  en: '',
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

/** The request's fields of a draft. */
export function toBrandFields({ cn, en, ...draft }: BrandDraft): BrandFields {
  return {
    ...draft,
    platformName: { cn, en },
    hosts: splitHosts(draft.hosts),
    accent: draft.accent.trim(),
    downloads: parseDownloads(draft.downloads) ?? [],
  }
}

export function toBrandDraft({ platformName, hosts, downloads, ...fields }: BrandFields): BrandDraft {
  return { ...fields, ...platformName, hosts: hosts.join('\n'), downloads: writeDownloads(downloads) }
}

export function splitHosts(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
}

/** Reads `Name https://…` lines; undefined if a line does not fit. */
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

/**
 * Themes on which the draft's accent cannot be read; empty for the default accent and for an incomplete
 * colour.
 */
export function unreadableThemes(accent: string): Theme[] {
  return isColour(accent) ? accentFaults(accent) : []
}

/** The problems of a draft that the form finds beside the rules of single fields. */
export function checkBrand(draft: BrandDraft, words: OperatorText['brandForm']): Problems<BrandDraft> {
  const problems: Problems<BrandDraft> = {}
  const rules = rulesOf(operator.createBrand)
  const isWrong = (field: string, text: string) => {
    const found = rules[field]
    return found !== undefined && findBrokenRule(found, text) !== undefined
  }
  const wrongHost = splitHosts(draft.hosts).find((host) => isWrong('hosts[]', host))
  if (wrongHost !== undefined) problems.hosts = words.hostWrong(wrongHost)
  const accent = draft.accent.trim()
  const faults = unreadableThemes(accent)
  if (accent !== '' && !isColour(accent)) problems.accent = words.accent
  else if (faults.length > 0)
    problems.accent = words.unreadable(faults.map((theme) => words.themes[theme]).join(', '))
  const versions = Object.entries(draft.versions).flatMap(([client, bounds]) =>
    Object.entries(bounds).map(([bound, version]) => isWrong(`versions.${client}.${bound}`, version)),
  )
  if (versions.includes(true)) problems.versions = words.versionWrong
  if (!parseDownloads(draft.downloads)) problems.downloads = words.downloadWrong
  return problems
}
