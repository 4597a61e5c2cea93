/** The messages people get about their machines, projects and applications. */
export { messagesRoutes } from './messages-routes.ts'
