import type { Lang } from '@busbar/contract'
import { embeddingText as cn } from '../../../shared/i18n/cn/project-embedding.ts'
import { embeddingText as en } from '../../../shared/i18n/en/project-embedding.ts'
import { useLang } from '../../../shared/i18n/index.ts'

type EmbeddingText = typeof cn

const texts: Readonly<Record<Lang, EmbeddingText>> = { cn, en }

export function useEmbeddingText(): EmbeddingText {
  return texts[useLang()]
}
