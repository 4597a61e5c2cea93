import type { Project } from '../../../entities/project/project.ts'

/** The properties of every part of a project. */
export interface PartProps {
  readonly project: Project
}
