/** The rows of projects, for programs that fetch them. */

export { createProjectDataModule, type ProjectDataModule } from './project-data-module.ts'
