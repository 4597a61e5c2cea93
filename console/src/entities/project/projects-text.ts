import type { Lang } from '@busbar/contract'
import { projectsText as cn } from '../../shared/i18n/cn/projects.ts'
import { projectsText as en } from '../../shared/i18n/en/projects.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ProjectsText = typeof cn

/** Both languages come with the projects: no other page waits for their words. */
const texts: Readonly<Record<Lang, ProjectsText>> = { cn, en }

export function useProjectsText(): ProjectsText {
  return texts[useLang()]
}
