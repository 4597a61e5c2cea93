/** The messages people get about their machines, projects and applications. */
export { countUnread, messagesRoutes } from './messages-routes.ts'
