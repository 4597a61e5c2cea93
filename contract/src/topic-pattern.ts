import { projectLimits } from './project-limits.ts'

/** The words of a row that a topic can have: `{machineCode}` in a pattern is the code of the row's machine. */
export const topicParts = ['projectId', 'machineCode', 'machineName', 'group'] as const
export type TopicPart = (typeof topicParts)[number]

/** A fault of a topic pattern, with the place of its character, counted from 1. */
export interface TopicFault {
  readonly at: number
  readonly problem: 'empty' | 'tooLong' | 'character' | 'part'
  /** The characters at that place. */
  readonly found: string
}

/** The first fault of a topic pattern: a wildcard, a control character, or braces around no part of a row. */
export function findTopicFault(pattern: string): TopicFault | undefined {
  if (pattern === '') return { at: 1, problem: 'empty', found: '' }
  const kept = pattern.slice(0, projectLimits.topicMax)
  for (const { 0: found, 1: part, index } of kept.matchAll(/\{(\w*)\}|[{}+#]|[\p{C}\u2028\u2029]/gu)) {
    if (topicParts.some((name) => name === part)) continue
    return { at: index + 1, problem: /^[{}]/.test(found) ? 'part' : 'character', found }
  }
  if (kept.length < pattern.length)
    return { at: kept.length + 1, problem: 'tooLong', found: pattern.slice(kept.length, kept.length + 1) }
  return undefined
}

/** A word as one level of a topic: without characters that would be a level or a wildcard. */
export const topicWord = (word: string): string => word.replaceAll(/[/+#$]|\p{C}/gu, '_')

/** The topic of a row. A word is one level there; the row has it as it is. */
export const fillTopic = (pattern: string, words: Readonly<Record<TopicPart, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, part: TopicPart) => topicWord(words[part]))
