import type { Lang } from '@busbar/contract'
import { projectDetailText as cn } from '../../../shared/i18n/cn/project-detail.ts'
import { projectDetailText as en } from '../../../shared/i18n/en/project-detail.ts'
import { useLang } from '../../../shared/i18n/index.ts'

type ProjectDetailText = typeof cn

const texts: Readonly<Record<Lang, ProjectDetailText>> = { cn, en }

export function useDetailText(): ProjectDetailText {
  return texts[useLang()]
}
