/** The connections of projects, for the module that gives them their rows. */

export type {
  KeptFilter,
  ProjectDoor,
  ProjectLine,
  ProjectLogin,
  ProjectLoginRefusal,
  ProjectSession,
  RowMessage,
  SessionRefusal,
  WantedSession,
} from '../edge/projects/project-door.ts'
export { projectTopic } from '../edge/projects/project-topics.ts'
