/** Choices of the filters of lists by days left and by percent used. */
export const daysLeftChoices = [7, 30, 90] as const
export const usedPercentChoices = [50, 80, 95, 100] as const
