import type { TopicRights } from '../mqtt/topic-rights.ts'
import { isTopicFilter } from '../mqtt/topic-syntax.ts'

const filterBytesMax = 1_024
/** Machine codes have 19 digits: a project's id is never one. */
const projectIdPattern = /^[1-9]\d{0,15}$/
const machineCodePattern = /^\d{19}$/

/** The project that a user name names; undefined for any other name. */
export function projectIdOf(userName: string): number | undefined {
  return projectIdPattern.test(userName) ? Number(userName) : undefined
}

/** The topics of a project's rows, of commands to its machines and of their results. */
export const projectTopic = {
  rows: (projectId: number) => `data/${projectId}/`,
  commands: (projectId: number) => `cmd/${projectId}/`,
  results: (projectId: number) => `cmd/${projectId}/result`,
}

/** The machine that a command's topic names; undefined for a topic of another kind. */
export function commandedMachine(projectId: number, topic: string): string | undefined {
  const prefix = projectTopic.commands(projectId)
  if (!topic.startsWith(prefix)) return undefined
  const code = topic.slice(prefix.length)
  return machineCodePattern.test(code) ? code : undefined
}

/** A project reads its rows and results, and publishes commands (rules/projects.md: our MQTT endpoint). */
export function projectTopics(projectId: number): TopicRights {
  return {
    whyNoPublish: (topic) =>
      commandedMachine(projectId, topic) === undefined
        ? `a project publishes to cmd/${projectId}/{machine code} only`
        : undefined,
    maySubscribe: (filter) =>
      Buffer.byteLength(filter) <= filterBytesMax &&
      isTopicFilter(filter) &&
      (filter.startsWith(projectTopic.rows(projectId)) || filter === projectTopic.results(projectId)),
  }
}
