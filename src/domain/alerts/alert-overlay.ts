/**
 * What hides the notifications of an alert without changing its state: a silence, an alert that inhibits it, a mute time of
 * all of its routes, an acknowledgement of all of its groups, which stops repetitions.
 */
export type AlertOverlay = 'silenced' | 'inhibited' | 'muted' | 'acked'
