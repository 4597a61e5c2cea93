import type { Lang } from '@busbar/contract'
import { agentConfig as cn } from '../../shared/i18n/cn/agent-config.ts'
import { agentConfig as en } from '../../shared/i18n/en/agent-config.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type AgentConfigText = typeof cn

/** Both languages come with the page: no other page waits for its words. */
const texts: Readonly<Record<Lang, AgentConfigText>> = { cn, en }

export function useAgentConfigText(): AgentConfigText {
  return texts[useLang()]
}
