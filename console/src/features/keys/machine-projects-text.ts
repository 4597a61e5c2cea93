import type { Lang } from '@busbar/contract'
import { machineProjectsText as cn } from '../../shared/i18n/cn/machine-projects.ts'
import { machineProjectsText as en } from '../../shared/i18n/en/machine-projects.ts'
import { useLang } from '../../shared/i18n/index.ts'

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export function useMachineProjectsText(): typeof cn {
  return texts[useLang()]
}
