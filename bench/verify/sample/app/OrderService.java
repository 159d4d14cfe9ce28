package shop.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

public class OrderService {
    private final List<Order> orders = new ArrayList<>();
    private final PaymentGateway gateway;

    public OrderService(PaymentGateway gateway) {
        this.gateway = gateway;
    }

    public Optional<Order> findOrder(String number) {
        return orders.stream().filter(order -> order.getNumber().equals(number)).findFirst();
    }

    public Order placeOrder(String customer, long cents) {
        Order order = new Order(nextNumber(), customer, cents);
        if (!gateway.charge(customer, cents)) {
            throw new IllegalStateException("payment refused for " + customer);
        }
        orders.add(order);
        return order;
    }

    private String nextNumber() {
        return String.format("A-%05d", orders.size() + 1);
    }
}
