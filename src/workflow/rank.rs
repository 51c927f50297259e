//! Sorting. One instance of the standard sort for all that is sorted: each takes more room in the
//! module than most rules do.

/// `items` by their ranks; those of equal rank stay in their order.
pub(crate) fn by_rank<T>(items: Vec<T>, rank: impl Fn(&T) -> u32) -> Vec<T> {
    let place = |(at, item): (usize, &T)| (u64::from(rank(item)) << 32) | at as u64;
    let mut places: Vec<u64> = items.iter().enumerate().map(place).collect();
    places.sort_unstable();
    let mut items: Vec<_> = items.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| items.get_mut(place as u32 as usize)?.take()).collect()
}

#[cfg(test)]
mod tests {
    use super::by_rank;

    #[test]
    fn equals_stay_in_their_order() {
        let items = vec![(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        let sorted: String = by_rank(items, |(rank, _)| *rank).into_iter().map(|(_, name)| name).collect();
        assert_eq!(sorted, "dbeac");
    }
}
