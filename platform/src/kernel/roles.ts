/** The kinds of work that a process can take over; by default it takes all of them. */
export const roles = ['api', 'edge', 'realtime', 'visits', 'jobs'] as const
export type Role = (typeof roles)[number]
