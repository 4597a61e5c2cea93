/**
 * The five states a machine is shown in, in the order a list puts them: trouble first, silence last. The
 * dictionary uses the same names.
 */
export const displayStates = ['alarm', 'warning', 'online', 'service', 'offline'] as const
export type DisplayState = (typeof displayStates)[number]
