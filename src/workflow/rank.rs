//! Sorting. One instance of the standard sort for all that is sorted: each takes more room in the
//! module than most rules do.

use std::cmp::Ordering;

/// `items` by their ranks; those of equal rank stay in their order.
pub(crate) fn by_rank<T>(items: Vec<T>, rank: impl Fn(&T) -> u32) -> Vec<T> {
    let places = places(items.len(), &|a, b| rank(&items[a]).cmp(&rank(&items[b])));
    let mut items: Vec<_> = items.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| items.get_mut(place)?.take()).collect()
}

/// The places of `count` items in their order; equal ones stay as they are.
pub(crate) fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    places
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
