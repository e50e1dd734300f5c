/** Width of a column of times: a time of another day with its date, and the time zone in the header. */
export const TIME_WIDTH = '190px'
