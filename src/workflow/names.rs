//! Finding names among others: one by one among few, by halving a sorted list among many. A table by
//! hash would be faster for very many, and takes three times the room in the module.

use super::rank;

/// Among how many names looking at each is faster than sorting them.
const FEW: usize = 16;

/// Names in the order of a file, to be found again.
pub(crate) struct Names<'n> {
    names: Vec<&'n str>,
    /// Their places, by name and then by place, where there are many.
    sorted: Vec<usize>,
}

impl<'n> Names<'n> {
    pub(crate) fn new(names: Vec<&'n str>) -> Self {
        let many = if names.len() > FEW { names.len() } else { 0 };
        let sorted = rank::places(many, &|a, b| names[a].cmp(names[b]));
        Self { names, sorted }
    }

    /// The first place of `name`.
    pub(crate) fn first(&self, name: &str) -> Option<usize> {
        if self.names.len() <= FEW {
            return self.names.iter().position(|other| *other == name);
        }
        let found = self.sorted.partition_point(|place| self.names[*place] < name);
        self.sorted.get(found).copied().filter(|place| self.names[*place] == name)
    }

    /// The names in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'n str> + Clone {
        self.names.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn the_first_place_of_each_name_is_found() {
        for more in [0, 100] {
            let letters = ["b", "a", "c", "a", ""];
            let names = Names::new([&letters[..], &vec!["e"; more]].concat());
            let places = ["a", "b", "c", "", "d"].map(|name| names.first(name));
            assert_eq!(places, [Some(1), Some(0), Some(2), Some(4), None]);
        }
    }
}
